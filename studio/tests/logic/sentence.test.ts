import { expect, test } from 'vitest';
import { pieces } from '../../src/sentence';

const of = (sentence: string, parameters: Record<string, string>) => pieces(sentence, Object.entries(parameters).map(([key, value]) => ({ key, value }))).map((piece) => ('key' in piece ? `<${piece.key}>` : piece.text)).join('');

test('a parameter stands in the sentence, after what somebody knows', () => {
  expect(of('Anyone who knows the 9 quasi-identifiers of a record finds at least 9 records.', { k: '9' })).toBe('Anyone who knows the 9 quasi-identifiers of a record finds at least <k> records.');
  expect(of('distributed alike, up to a distance of 0.2.', { t: '0.2', distance: 'ordered' })).toBe('distributed alike, up to a distance of <t>.');
});

test('a digit of another number is none, and what could be either is left where it is', () => {
  expect(of('one of 15 or 5.5 and 1,500', { k: '5' })).toBe('one of 15 or 5.5 and 1,500');
  expect(of('3 of 3 records', { c: '3', l: '3' })).toBe('3 of 3 records');
  expect(of('at least 5 records, right with at most 0.5.', { alpha: '0.5', k: '5' })).toBe('at least <k> records, right with at most <alpha>.');
});
