// Where in the sentence of a promise do its parameters stand?

import type { SettingWords } from './wire';

export type Piece = { text: string } | { key: string };

/// The sentence with its parameters in their places; those that do not stand in it, or could be one another, are left out.
export function pieces(sentence: string, parameters: SettingWords[]): Piece[] {
  const places = parameters
    .filter((one) => /^[0-9.]+$/.test(one.value) && parameters.filter((other) => other.value === one.value).length === 1)
    .map((one) => ({ key: one.key, at: lastPlace(sentence, one.value), length: one.value.length }))
    .filter((one) => one.at >= 0)
    .sort((a, b) => a.at - b.at);
  const found: Piece[] = [];
  let from = 0;
  for (const { key, at, length } of places) {
    found.push({ text: sentence.slice(from, at) }, { key });
    from = at + length;
  }
  return [...found, { text: sentence.slice(from) }];
}

/// What is promised comes after what somebody knows, so that of several places the last is meant. A digit of another number is none.
function lastPlace(sentence: string, value: string): number {
  const escaped = value.replaceAll('.', '\\.');
  const matches = [...sentence.matchAll(new RegExp(`(?<![0-9.,])${escaped}(?![0-9]|[.,][0-9])`, 'g'))];
  return matches.at(-1)?.index ?? -1;
}
