// How are numbers and names written for people?

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/// A whole number with its thousands set apart.
export function count(value: number): string {
  return whole.format(value);
}

/// A count with its noun.
export function counted(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : noun.endsWith('ss') ? `${noun}es` : `${noun}s`}`;
}

/// A figure with so many digits that count.
function digits(value: number | null | undefined, most: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  if (Math.abs(value) >= 1000) return whole.format(value);
  return String(Number(value.toPrecision(most)));
}

/// A figure with four digits that count.
export const figure = (value: number | null | undefined): string => digits(value, 4);

/// The same where there is little room.
export const brief = (value: number | null | undefined): string => digits(value, 2);

/// A share as a percentage. What is not nothing never looks like nothing, and what is not all never looks like all.
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return '–';
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  if (share < 0.0005) return '<0.1%';
  if (share > 0.9995) return '>99.9%';
  const value = share * 100;
  return `${value < 10 || value > 99 ? value.toFixed(1) : value.toFixed(0)}%`;
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${(value / 1e3).toFixed(1)} KB`;
  if (value < 1e9) return `${(value / 1e6).toFixed(1)} MB`;
  return `${(value / 1e9).toFixed(1)} GB`;
}

/// The key of a column in a policy: quoted unless it is a plain word.
export function columnKey(column: string, key: string): string {
  const name = /^[A-Za-z0-9_-]+$/.test(column) ? column : JSON.stringify(column);
  return `columns.${name}.${key}`;
}
