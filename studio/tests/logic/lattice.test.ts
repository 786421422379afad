import { expect, test } from 'vitest';
import { difference, edges, filtered, placed, reached } from '../../src/lattice';

const node = (levels: number[], loss: number | null, satisfies = true) => ({ levels, satisfies, figures: { objective_value: loss, released_rows: 1, suppressed_rows: 0, classes: 1 } });
const nodes = [node([0, 0], 0, false), node([1, 0], 0.3), node([0, 1], 0.2), node([1, 1], 0.5), node([2, 0], null)];
const step = { x: 10, y: 100 };

test('rows go by height, the most general at the top, and the cheapest comes first', () => {
  const { nodes: all, width, height, rows } = placed(nodes, step);
  expect(rows).toEqual([2, 1, 0]);
  expect([width, height]).toEqual([20, 300]);
  expect(all.map((one) => one.key)).toEqual(['1,1', '2,0', '0,1', '1,0', '0,0']);
  // The single node of the lowest row stands in the middle.
  expect(all[4]).toMatchObject({ x: 10, y: 250 });
  expect(placed([], step).nodes).toEqual([]);
});

test('lines join what is a step apart', () => {
  const pairs = edges(placed(nodes, step).nodes).map(([below, above]) => `${below.key}>${above.key}`);
  expect(pairs.sort()).toEqual(['0,0>0,1', '0,0>1,0', '0,1>1,1', '1,0>1,1', '1,0>2,0']);
});

test('arrows lead to neighbours, and nowhere at the edges', () => {
  const { nodes: all } = placed(nodes, step);
  const at = (key: string) => all.find((one) => one.key === key)!;
  expect(reached(all, at('0,1'), 'ArrowRight')?.key).toBe('1,0');
  expect(reached(all, at('0,1'), 'ArrowLeft')).toBeNull();
  expect(reached(all, at('1,0'), 'ArrowUp')?.key).toBe('2,0');
  expect(reached(all, at('2,0'), 'ArrowDown')?.key).toBe('1,0');
  expect(reached(all, at('1,1'), 'ArrowUp')).toBeNull();
  expect(reached(all, at('1,1'), 'x')).toBeNull();
});

test('only some are shown', () => {
  const keys = (wanted: (number | null)[], only: boolean) => filtered(nodes, wanted, only).map((one) => one.levels.join());
  expect(keys([], false)).toHaveLength(5);
  expect(keys([], true)).not.toContain('0,0');
  expect(keys([null, 0], true)).toEqual(['1,0', '2,0']);
});

test('a difference is said by the columns that differ', () => {
  expect(difference([1, 2], [1, 0], ['age', 'sex'])).toBe('sex 2');
  expect(difference([1, 2], [1, 2], ['age', 'sex'])).toBe('the same levels');
});
