export type Problem = any;
