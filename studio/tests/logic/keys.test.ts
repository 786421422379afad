import { expect, test } from 'vitest';
import { takesLetters, takesText } from '../../src/keys';

test('keys belong to the page unless a letter would be written', () => {
  for (const type of ['radio', 'checkbox', 'range', 'file']) expect(takesLetters({ tagName: 'INPUT', type })).toBe(false);
  for (const type of ['text', 'number', 'search', undefined]) expect(takesLetters(type ? { tagName: 'INPUT', type } : { tagName: 'INPUT' })).toBe(true);
  expect(['TEXTAREA', 'SELECT', 'BUTTON', 'DIV', 'BODY'].map((tagName) => takesLetters({ tagName }))).toEqual([true, true, false, false, false]);
});

test('choices take letters, but undo nothing by themselves', () => {
  expect(['TEXTAREA', 'SELECT', 'BUTTON'].map((tagName) => takesText({ tagName }))).toEqual([true, false, false]);
  expect([takesText({ tagName: 'INPUT', type: 'text' }), takesText({ tagName: 'INPUT', type: 'radio' })]).toEqual([true, false]);
});
