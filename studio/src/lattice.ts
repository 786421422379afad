// Where does each node of a lattice stand in its picture, and who are its neighbours?

import type { AroundNode } from './wire';

export type Placed = { node: AroundNode; key: string; x: number; y: number; height: number };

export const keyOf = (levels: number[]): string => levels.join(',');
export const heightOf = (levels: number[]): number => levels.reduce((sum, level) => sum + level, 0);

/// Which nodes are shown: those with these levels, where a level is asked for, and only those that satisfy, if so.
export function filtered(nodes: AroundNode[], wanted: (number | null)[], onlySatisfying: boolean): AroundNode[] {
  return nodes.filter((node) => (!onlySatisfying || node.satisfies) && node.levels.every((level, column) => wanted[column] === null || wanted[column] === undefined || wanted[column] === level));
}

/// Rows by height, the most general at the top; in a row, those that lose least first. Rows are centred.
export function placed(nodes: AroundNode[], step: { x: number; y: number }): { nodes: Placed[]; width: number; height: number; rows: number[] } {
  const heights = [...new Set(nodes.map((node) => heightOf(node.levels)))].sort((a, b) => b - a);
  const loss = (node: AroundNode) => node.figures.objective_value ?? Infinity;
  const rows = heights.map((height) => nodes.filter((node) => heightOf(node.levels) === height).sort((a, b) => (loss(a) === loss(b) ? 0 : loss(a) - loss(b))));
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const all = rows.flatMap((row, line) => row.map((node, place) => ({ node, key: keyOf(node.levels), height: heights[line]!, x: ((longest - row.length) / 2 + place + 0.5) * step.x, y: (line + 0.5) * step.y })));
  return { nodes: all, width: longest * step.x, height: Math.max(1, rows.length) * step.y, rows: heights };
}

/// Pairs of which one is a step above the other.
export function edges(nodes: Placed[]): [Placed, Placed][] {
  const known = new Map(nodes.map((one) => [one.key, one]));
  return nodes.flatMap((one) =>
    one.node.levels.flatMap((level, column): [Placed, Placed][] => {
      const above = known.get(keyOf(one.node.levels.map((other, place) => (place === column ? level + 1 : other))));
      return above ? [[one, above]] : [];
    }),
  );
}

/// Where an arrow key leads: beside it in its row, or to the nearest in the row above or below that is a neighbour; else the nearest there.
export function reached(nodes: Placed[], from: Placed, key: string): Placed | null {
  const row = (height: number) => nodes.filter((one) => one.height === height).sort((a, b) => a.x - b.x);
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const here = row(from.height);
    return here[here.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)] ?? null;
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const heights = [...new Set(nodes.map((one) => one.height))].filter((height) => (key === 'ArrowUp' ? height > from.height : height < from.height));
  if (!heights.length) return null;
  const there = row(key === 'ArrowUp' ? Math.min(...heights) : Math.max(...heights));
  const steps = (one: Placed) => one.node.levels.reduce((sum, level, place) => sum + Math.abs(level - from.node.levels[place]!), 0);
  return there.sort((a, b) => steps(a) - steps(b) || Math.abs(a.x - from.x) - Math.abs(b.x - from.x))[0] ?? null;
}

/// What differs from another node, in a few words: `age 2, zip 3`.
export function difference(levels: number[], from: number[], names: string[]): string {
  const changed = levels.flatMap((level, place) => (level === from[place] ? [] : [`${names[place] ?? place} ${level}`]));
  return changed.length ? changed.join(', ') : 'the same levels';
}
