// Which change of the policy changes one parameter of a hierarchy, and leaves the others as they are?

import { columnKey } from './format';
import type { ColumnInfo } from './wire';

/// A key of the policy, and its value or none.
export type Field = { key: string; value: string | null };

type Parameters = Record<string, unknown>;

/// The parameter that the short form, a list or a name, stands for.
const SHORT: Record<string, string> = { intervals: 'widths', dates: 'levels', known: 'name' };

/// Periods, fine to coarse. Weeks nest in no other: they are the last level.
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year', 'decade'];

const isTable = (value: unknown): value is Parameters => typeof value === 'object' && value !== null && !Array.isArray(value);

/// What the policy says of a kind of hierarchy, whether in its short form or not.
export function parameters(column: ColumnInfo, kind: string): Parameters {
  const hierarchy = JSON.parse(column.hierarchy_json ?? '{}') as unknown;
  const said = isTable(hierarchy) ? hierarchy[kind] : undefined;
  if (isTable(said)) return said;
  return said === undefined ? {} : { [SHORT[kind] ?? kind]: said };
}

/// The words of a list, as somebody would write them.
export const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/// A number or a text, or nothing.
export const word = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '');

/// A text as TOML writes it.
export const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/// Which kind it is.
export const kindOf = (column: ColumnInfo): string => Object.keys((JSON.parse(column.hierarchy_json ?? '{}') ?? {}) as object)[0] ?? (column.hierarchy ? 'tree' : '');

/// A parameter with another value, as TOML has it, or without one.
export function changed(column: ColumnInfo, kind: string, parameter: string, value: string | null): Field | null {
  const key = columnKey(column.name, `hierarchy.${kind}`);
  const settings = (key: string, value: string): Field => ({ key, value });
  const hierarchy = JSON.parse(column.hierarchy_json ?? '{}') as unknown;
  const said = isTable(hierarchy) ? hierarchy[kind] : undefined;
  const short = SHORT[kind] ?? kind;
  if (isTable(said)) {
    if (value !== null) return settings(`${key}.${parameter}`, value);
    return parameter in said ? { key: `${key}.${parameter}`, value: null } : null;
  }
  if (parameter === short) return value === null ? null : settings(key, value);
  if (value === null) return null;
  // The short form has no place for it.
  return settings(key, said === undefined ? `{ ${parameter} = ${value} }` : `{ ${short} = ${JSON.stringify(said)}, ${parameter} = ${value} }`);
}

/// The periods with another one, or without it; a week ends them.
export function periods(now: string[], part: string): string[] {
  const isOn = now.includes(part);
  const next = PERIODS.filter((one) => (one === part ? !isOn : now.includes(one)));
  if (isOn) return next;
  const week = PERIODS.indexOf('week');
  if (part === 'week') return next.filter((one) => PERIODS.indexOf(one) <= week);
  return PERIODS.indexOf(part) > week ? next.filter((one) => one !== 'week') : next;
}
