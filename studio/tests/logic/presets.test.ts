import { expect, test } from 'vitest';
import { alike, missing, presetsOf } from '../../src/presets';

test('what is given already is not offered again', () => {
  const known = [{ key: 't' }, { key: 'distance' }, { key: 'reference' }];
  expect(missing(known, [{ key: 't', value: '0.2' }]).map((one) => one.key)).toEqual(['distance', 'reference']);
  expect(missing([], [{ key: 'k', value: '5' }])).toEqual([]);
});

test('every preset says where it is from', () => {
  const all = [...alike, ...['t-closeness', 'entropy-l-diversity'].flatMap((model) => presetsOf(model).presets)];
  expect(all.length).toBeGreaterThan(6);
  for (const preset of all) expect(preset.why.length).toBeGreaterThan(20);
  expect(presetsOf('tau-l-diversity').presets).toEqual([]);
});
