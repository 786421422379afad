import { expect, test } from 'vitest';
import { changed, parameters, periods, word, words } from '../../src/hierarchy';
import type { ColumnInfo } from '../../src/wire';

const column = (hierarchy: unknown): ColumnInfo => ({ name: 'visit day', kind: 'date', distinct: '9', distinct_at_least: 9, missing: 0, alone: 0, range: null, proposed: '', reason: '', role: 'quasi-identifier', is_person: false, hierarchy: '', hierarchy_json: JSON.stringify(hierarchy), min_level: null, max_level: null });
const setting = (key: string, value: string) => ({ key: `columns."visit day".hierarchy.${key}`, value });

test('a part of a date changes the parts alone: how dates are written stays', () => {
  const written = column({ dates: { levels: ['month', 'year'], format: '%d/%m/%Y' } });
  expect(words(parameters(written, 'dates').levels)).toEqual(['month', 'year']);
  expect(changed(written, 'dates', 'levels', '["year"]')).toEqual(setting('dates.levels', '["year"]'));
  expect(changed(written, 'dates', 'format', null)).toEqual({ key: 'columns."visit day".hierarchy.dates.format', value: null });
  const short = column({ dates: ['month', 'year'] });
  expect(changed(short, 'dates', 'levels', '["year"]')).toEqual(setting('dates', '["year"]'));
  expect(changed(short, 'dates', 'format', '"%Y%m%d"')).toEqual(setting('dates', '{ levels = ["month","year"], format = "%Y%m%d" }'));
  expect(changed(short, 'dates', 'format', null)).toBeNull();
});

test('a side of a mask leaves its character and its length', () => {
  const mask = column({ mask: { from: 'right', character: '#', length: 5 } });
  expect(changed(mask, 'mask', 'from', '"left"')).toEqual(setting('mask.from', '"left"'));
  expect([word(parameters(mask, 'mask').character), word(parameters(mask, 'mask').length)]).toEqual(['#', '5']);
  expect(changed(column({ mask: {} }), 'mask', 'length', '5')).toEqual(setting('mask.length', '5'));
  expect(changed(column({ mask: {} }), 'mask', 'length', null)).toBeNull();
});

test('intervals become a table only where their list has no place for something', () => {
  expect(changed(column({ intervals: [5, 10] }), 'intervals', 'top', '80')).toEqual(setting('intervals', '{ widths = [5,10], top = 80 }'));
  expect(changed(column({ intervals: { widths: [5], top: 80 } }), 'intervals', 'widths', '[5, 10]')).toEqual(setting('intervals.widths', '[5, 10]'));
  expect(changed(column({ quantiles: [16, 4] }), 'quantiles', 'quantiles', '[8, 4]')).toEqual(setting('quantiles', '[8, 4]'));
});

test('a week can be chosen, and nests in nothing', () => {
  expect(periods(['month', 'year'], 'quarter')).toEqual(['month', 'quarter', 'year']);
  expect(periods(['day', 'month', 'year'], 'week')).toEqual(['day', 'week']);
  expect(periods(['day', 'week'], 'month')).toEqual(['day', 'month']);
  expect(periods(['day', 'week'], 'week')).toEqual(['day']);
  expect(periods([], 'decade')).toEqual(['decade']);
});
