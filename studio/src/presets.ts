// Which numbers has somebody else asked for, and who?

import type { SettingWords } from './wire';

export type Preset = { value: string; why: string };

/// How many must look alike.
export const alike: Preset[] = [
  { value: '5', why: 'what a proposal begins with for a table of 100 rows or more' },
  { value: '11', why: 'no cell of 1 to 10 people (CMS); risk of at most 0.09 (EMA Policy 0070, Ontario IPC)' },
  { value: '15', why: 'risk of at most 0.075 (Ontario IPC)' },
  { value: '20', why: 'risk of at most 0.05 (Ontario IPC)' },
];

/// Of models that no authority has set numbers for, those of the papers that they come from.
const OF_PAPERS: Record<string, { key: string; presets: Preset[] }> = {
  't-closeness': {
    key: 't',
    presets: [
      { value: '0.2', why: 'little is lost with it on census data (Li, Li and Venkatasubramanian 2007, section 6)' },
      { value: '0.15', why: 'the stricter one of the two in the experiments (the same, section 6)' },
    ],
  },
  'entropy-l-diversity': {
    key: 'l',
    presets: [{ value: '6', why: 'what the experiments on census data and orders ask for (Machanavajjhala et al. 2006, section 6)' }],
  },
};

/// What others have asked of a model, and for which of its parameters.
export const presetsOf = (model: string): { key: string; presets: Preset[] } => OF_PAPERS[model] ?? { key: '', presets: [] };

/// The parameters of a model that a requirement could have and has not.
export const missing = <T extends { key: string }>(known: T[], given: SettingWords[]): T[] => known.filter((one) => !given.some((other) => other.key === one.key));
