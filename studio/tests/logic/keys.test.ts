import { expect, test } from 'vitest';
import { takesText } from '../../src/keys';

test('keys belong to the page unless a letter would be written', () => {
  for (const type of ['radio', 'checkbox', 'range', 'file']) expect(takesText({ tagName: 'INPUT', type })).toBe(false);
  for (const type of ['text', 'number', 'search', undefined]) expect(takesText(type ? { tagName: 'INPUT', type } : { tagName: 'INPUT' })).toBe(true);
  expect(['TEXTAREA', 'SELECT', 'BUTTON', 'DIV', 'BODY'].map((tagName) => takesText({ tagName }))).toEqual([true, true, false, false, false]);
});
