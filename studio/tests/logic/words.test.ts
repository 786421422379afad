import { expect, test } from 'vitest';
import { compared } from '../../src/compared';
import { brief, bytes, columnKey, count, counted, figure, percent } from '../../src/format';
import { command, python, shellWord } from '../../src/lines';
import type { Candidate } from '../../src/wire';

test('a share never looks like nothing or like all when it is not', () => {
  expect([0, 1e-9, 0.0004, 0.05, 0.5, 0.99999, 1].map(percent)).toEqual(['0%', '<0.1%', '<0.1%', '5.0%', '50%', '>99.9%', '100%']);
  expect(percent(null)).toBe('–');
});

test('numbers and nouns', () => {
  expect([count(1234567), counted(1, 'class'), counted(2, 'class'), counted(0, 'row')]).toEqual(['1,234,567', '1 class', '2 classes', '0 rows']);
  expect([0, 0.123456, 12345.6, NaN].map(figure)).toEqual(['0', '0.1235', '12,346', '–']);
  expect([0, 0.0066987, 0.5, 12345.6, null].map(brief)).toEqual(['0', '0.0067', '0.5', '12,346', '–']);
  expect([999, 1000, 2.5e6].map(bytes)).toEqual(['999 B', '1.0 KB', '2.5 MB']);
});

test('keys of columns are quoted where TOML needs it', () => {
  expect(columnKey('age', 'role')).toBe('columns.age.role');
  expect(columnKey('zip code', 'role')).toBe('columns."zip code".role');
  expect(columnKey('a"b', 'role')).toBe('columns."a\\"b".role');
});

const plan = { release: 'a.release.csv', report: 'a.report.html', certificate: 'a.certificate.json', recipe: 'a.recipe.json', policy: 'in/a b.policy.toml' };

test('the command is one that a shell takes as it is meant', () => {
  expect(command(plan, { report: true, certificate: false, recipe: false, overwrite: true })).toBe("shoal anonymize 'in/a b.policy.toml' --report in/a.report.html --overwrite");
  // A report with a place of its own is where the policy says.
  expect(command({ ...plan, report: '/srv/reports/a.html' }, { report: true, certificate: false, recipe: true, overwrite: false })).toBe("shoal anonymize 'in/a b.policy.toml' --report /srv/reports/a.html --recipe in/a.recipe.json");
  expect(shellWord("it's; rm -rf")).toBe("'it'\\''s; rm -rf'");
  expect(shellWord('-x')).toBe("'-x'");
  expect(command({ ...plan, policy: '-x.toml' }, { report: false, certificate: false, recipe: false, overwrite: false })).toBe('shoal anonymize ./-x.toml');
});

test('the lines of Python load the same policy', () => {
  expect(python(plan, { report: true, certificate: true, recipe: false, overwrite: false }).split('\n')).toEqual([
    'import shoal',
    '',
    'policy = shoal.Policy.load("in/a b.policy.toml")',
    'release = shoal.anonymize(None, policy)',
    'release.save("in/out/", name="a.release.csv", report=True, certificate=True)',
  ]);
});

const release = (loss: number, suppressed: number, level: number): Candidate => ({
  method: 'full-domain',
  objective: 'loss',
  guarantee: 'optimal',
  figures: { objective_value: loss, released_rows: 100 - suppressed, suppressed_rows: suppressed, classes: 9 },
  objectives: [{ name: 'loss', value: loss }],
  promises: [],
  columns: [{ name: 'age', is_quasi: true, level: [level, 3], before: [], values_before: 9, after: [], labels_after: 3, loss, distance: null }],
  sizes_before: [],
  sizes_after: [],
  threshold: 0.2,
  risks: [],
  attacks: [{ attack: 'homogeneity', column: 'pay', exposed: suppressed, records: 100, severity: 'low', learned: '', prevented_by: '' }],
  associations: [],
  learned: [{ learner: 'id3', target: 'pay', before: 0.9, after: 1 - loss, majority: 0.5 }],
  warnings: [],
  notes: [],
});

test('of two releases, each line says which is better, where that is clear', () => {
  const sections = compared(release(0.2, 5, 1), release(0.4, 0, 2));
  const line = (what: string) => sections.flatMap((section) => section.lines).find((one) => one.what === what);
  expect(line('loss')).toEqual({ what: 'loss', first: '0.2', second: '0.4', better: 'first' });
  expect(line('rows left out')?.better).toBe('second');
  expect(line('classes')?.better).toBeNull();
  expect(line('age, shown as')).toMatchObject({ first: 'level 1 of 3', second: 'level 2 of 3', better: null });
  expect(line('homogeneity, pay')?.better).toBe('second');
  // Who predicts more of them right has learned more.
  expect(line('id3, pay')).toMatchObject({ first: '80%', second: '60%', better: 'first' });
  // What reads the same is not better, and is left out.
  expect(compared(release(0.2, 5, 1), release(0.20000001, 5, 1)).map((section) => section.title)).toEqual(['The release']);
});
