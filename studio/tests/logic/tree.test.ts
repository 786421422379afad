import { expect, test } from 'vitest';
import { dissolved, groups, moved, renamed, rowsOf, toToml, treeOf, type Branch } from '../../src/tree';

const leaf = (value: string, ...above: string[]) => ({ labels: [value, ...above], rows: 10 });
const jobs = () => treeOf([leaf('clerk', 'office'), leaf('manager', 'office'), leaf('miner', 'mine'), leaf('pope', 'pope')]);
const toml = (tree: Branch[]) => toToml(tree);

test('a tree is read from what each value knows, and short branches repeat the value', () => {
  expect(toml(jobs())).toBe('[{ "office" = ["clerk", "manager"] }, { "mine" = ["miner"] }, "pope"]');
  expect(rowsOf(jobs()[0]!)).toBe(20);
  expect(toml(treeOf([leaf('a', 'x', 'top'), leaf('b', 'y', 'top')]))).toBe('{ "top" = { "x" = ["a"], "y" = ["b"] } }');
});

test('values move into groups that are there or new, and empty groups go', () => {
  expect(toml(moved(jobs(), [{ value: 'pope' }, { value: 'miner' }], ['office']))).toBe('{ "office" = ["clerk", "manager", "miner", "pope"] }');
  expect(toml(moved(jobs(), [{ value: 'clerk' }], ['new']))).toBe('[{ "office" = ["manager"] }, { "mine" = ["miner"] }, "pope", { "new" = ["clerk"] }]');
  expect(toml(moved(jobs(), [{ value: 'miner' }], []))).toBe('[{ "office" = ["clerk", "manager"] }, "pope", "miner"]');
});

test('groups move into groups, but not into themselves', () => {
  const inside = moved(jobs(), [{ path: ['mine'] }], ['office']);
  expect(toml(inside)).toBe('[{ "office" = ["clerk", "manager", { "mine" = ["miner"] }] }, "pope"]');
  expect(toml(moved(inside, [{ path: ['office'] }], ['office', 'mine']))).toBe(toml(inside));
  expect(groups(inside)).toEqual([['office'], ['office', 'mine']]);
  expect(toml(moved(inside, [{ path: ['office', 'mine'] }], []))).toBe('[{ "office" = ["clerk", "manager"] }, "pope", { "mine" = ["miner"] }]');
});

test('nothing is lost and nothing is changed in place, whatever is done', () => {
  const tree = jobs();
  const before = toml(tree);
  const values = (branches: Branch[]): string[] => branches.flatMap((branch) => ('name' in branch ? values(branch.children) : [branch.value])).sort();
  for (const next of [moved(tree, [{ path: ['office'] }, { value: 'clerk' }], ['mine']), renamed(tree, ['office'], 'mine'), dissolved(tree, ['office']), renamed(tree, ['nobody'], 'x')]) {
    expect(values(next)).toEqual(['clerk', 'manager', 'miner', 'pope']);
    expect(toml(tree)).toBe(before);
  }
});

test('a group gets another name, or goes into the one that has it', () => {
  expect(toml(renamed(jobs(), ['mine'], 'pit'))).toContain('"pit" = ["miner"]');
  expect(toml(renamed(jobs(), ['mine'], 'office'))).toBe('[{ "office" = ["clerk", "manager", "miner"] }, "pope"]');
  expect(toml(dissolved(jobs(), ['office']))).toBe('[{ "mine" = ["miner"] }, "pope", "clerk", "manager"]');
});

test('values are quoted as TOML has it', () => {
  expect(toml([{ value: 'a "b" \\ \n\u007f', rows: 1 }])).toBe('["a \\"b\\" \\\\ \\n\\u007f"]');
});
