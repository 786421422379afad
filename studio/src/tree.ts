// How does a tree of values change when somebody moves them into groups?

import type { LeafShown } from './wire';

export type Leaf = { value: string; rows: number };
export type Group = { name: string; children: Branch[] };
export type Branch = Leaf | Group;

/// What is moved: a value by itself, or a group by the names from the top down to it.
export type Item = { value: string } | { path: string[] };

export const isGroup = (branch: Branch): branch is Group => 'name' in branch;

/// Identifies what is selected.
export const keyOf = (item: Item): string => JSON.stringify('value' in item ? item.value : item.path);

/// The tree of values that each know their groups. Short branches repeat the value, which is no group.
export function treeOf(leaves: LeafShown[]): Branch[] {
  const top: Branch[] = [];
  for (const { labels, rows } of leaves) {
    const [value = '', ...above] = labels;
    const path = above.filter((label, place) => label !== value && label !== above[place - 1]).reverse();
    within(top, path).push({ value, rows });
  }
  return top;
}

/// The children of the group at a path, which is made where it is missing.
function within(top: Branch[], path: string[]): Branch[] {
  let children = top;
  for (const name of path) {
    let group = children.filter(isGroup).find((one) => one.name === name);
    if (!group) {
      group = { name, children: [] };
      children.push(group);
    }
    children = group.children;
  }
  return children;
}

const copied = (tree: Branch[]): Branch[] => tree.map((branch) => (isGroup(branch) ? { name: branch.name, children: copied(branch.children) } : { ...branch }));

/// Without groups that have nothing in them.
function pruned(tree: Branch[]): Branch[] {
  return tree.flatMap((branch): Branch[] => {
    if (!isGroup(branch)) return [branch];
    const children = pruned(branch.children);
    return children.length ? [{ name: branch.name, children }] : [];
  });
}

/// Puts a branch among others; groups of one name become one.
function put(children: Branch[], branch: Branch) {
  const same = isGroup(branch) ? children.filter(isGroup).find((one) => one.name === branch.name) : undefined;
  if (same && isGroup(branch)) for (const child of branch.children) put(same.children, child);
  else children.push(branch);
}

/// The tree with these in another group. A group cannot go into itself: it stays where it is.
export function moved(tree: Branch[], items: Item[], into: string[]): Branch[] {
  const top = copied(tree);
  const keys = new Set(items.filter((item) => !('path' in item) || !item.path.every((name, place) => into[place] === name)).map(keyOf));
  const taken: Branch[] = [];
  const without = (children: Branch[], path: string[]): Branch[] =>
    children.flatMap((branch) => {
      const here = isGroup(branch) ? [...path, branch.name] : path;
      if (keys.has(keyOf(isGroup(branch) ? { path: here } : { value: branch.value }))) {
        taken.push(branch);
        return [];
      }
      if (isGroup(branch)) branch.children = without(branch.children, here);
      return [branch];
    });
  const left = without(top, []);
  const target = within(left, into);
  for (const branch of taken) put(target, branch);
  return pruned(left);
}

/// The tree with a group under another name; one that has the name already takes it in.
export function renamed(tree: Branch[], path: string[], name: string): Branch[] {
  const top = copied(tree);
  const above = within(top, path.slice(0, -1));
  const place = above.findIndex((branch) => isGroup(branch) && branch.name === path[path.length - 1]);
  if (place < 0 || name === '' || name === path[path.length - 1]) return top;
  const other = above.filter(isGroup).find((group) => group.name === name);
  const group = above[place] as Group;
  if (!other) group.name = name;
  else {
    above.splice(place, 1);
    for (const child of group.children) put(other.children, child);
  }
  return top;
}

/// The tree without a group; what was in it goes where the group was.
export function dissolved(tree: Branch[], path: string[]): Branch[] {
  const top = copied(tree);
  const above = within(top, path.slice(0, -1));
  const place = above.findIndex((branch) => isGroup(branch) && branch.name === path[path.length - 1]);
  if (place < 0) return top;
  const [group] = above.splice(place, 1) as [Group];
  for (const child of group.children) put(above, child);
  return top;
}

/// Every group, from the top down.
export function groups(tree: Branch[], path: string[] = []): string[][] {
  return tree.filter(isGroup).flatMap((group) => [[...path, group.name], ...groups(group.children, [...path, group.name])]);
}

export function rowsOf(branch: Branch): number {
  return isGroup(branch) ? branch.children.reduce((sum, child) => sum + rowsOf(child), 0) : branch.rows;
}

/// A text as TOML writes it.
const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/// The tree as a policy writes it: a table where all are groups, else a list.
export function toToml(tree: Branch[]): string {
  if (tree.length && tree.every(isGroup)) return `{ ${tree.map((group) => `${quoted((group as Group).name)} = ${toToml((group as Group).children)}`).join(', ')} }`;
  return `[${tree.map((branch) => (isGroup(branch) ? `{ ${quoted(branch.name)} = ${toToml(branch.children)} }` : quoted(branch.value))).join(', ')}]`;
}
