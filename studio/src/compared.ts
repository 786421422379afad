// What is different between two releases, and which of them is better in what?

import { count, figure, percent } from './format';
import type { Candidate } from './wire';

export type Line = { what: string; first: string; second: string; better: 'first' | 'second' | null };
export type Section = { title: string; lines: Line[] };

/// The smaller is better, or the larger.
function better(first: number | null | undefined, second: number | null | undefined, isLess: boolean): Line['better'] {
  if (first === null || first === undefined || second === null || second === undefined || first === second) return null;
  return first < second === isLess ? 'first' : 'second';
}

/// Two releases, section by section. Lines that say the same of both are left out of all but the first.
export function compared(one: Candidate, other: Candidate): Section[] {
  const line = (what: string, first: number | null | undefined, second: number | null | undefined, shown: (value: number) => string, isLess: boolean | null = true): Line => {
    const told = (value: number | null | undefined) => (value === null || value === undefined ? '–' : shown(value));
    // What reads the same is the same to whoever reads it.
    const isSame = told(first) === told(second);
    return { what, first: told(first), second: told(second), better: isLess === null || isSame ? null : better(first, second, isLess) };
  };
  const words = (what: string, first: string, second: string): Line => ({ what, first, second, better: null });
  const differs = (lines: Line[]) => lines.filter((line) => line.first !== line.second);

  const names = [...new Set([...one.columns, ...other.columns].filter((column) => column.is_quasi).map((column) => column.name))];
  const column = (release: Candidate, name: string) => release.columns.find((column) => column.name === name && column.is_quasi);
  const level = (release: Candidate, name: string) => {
    const found = column(release, name)?.level;
    return found ? `level ${found[0]} of ${found[1]}` : column(release, name) ? 'by class' : 'not generalized';
  };
  const attacks = [...new Set([...one.attacks, ...other.attacks].map((attack) => JSON.stringify([attack.attack, attack.column])))];
  const exposed = (release: Candidate, key: string) => {
    const found = release.attacks.find((attack) => JSON.stringify([attack.attack, attack.column]) === key);
    return found ? found.exposed / Math.max(1, found.records) : null;
  };
  const measures = [...new Set([...one.objectives, ...other.objectives].map((measure) => measure.name))];
  const measure = (release: Candidate, name: string) => release.objectives.find((measure) => measure.name === name)?.value;
  const learned = [...new Set([...one.learned, ...other.learned].map((one) => JSON.stringify([one.learner, one.target])))];
  const learns = (release: Candidate, key: string) => release.learned.find((one) => JSON.stringify([one.learner, one.target]) === key)?.after;
  const named = (key: string) => (JSON.parse(key) as (string | null)[]).filter((word) => word !== null).join(', ');

  const sections: Section[] = [
    {
      title: 'The release',
      lines: [
        words('promise', one.promises.map((promise) => promise.label).join(', '), other.promises.map((promise) => promise.label).join(', ')),
        words('method', one.method, other.method),
        line('loss', measure(one, 'loss'), measure(other, 'loss'), figure),
        line('rows left out', one.figures.suppressed_rows, other.figures.suppressed_rows, count),
        line('classes', one.figures.classes, other.figures.classes, count, null),
        line('highest risk', one.risks[0]?.highest, other.risks[0]?.highest, percent),
        line('average risk', one.risks[0]?.average, other.risks[0]?.average, percent),
      ],
    },
    {
      title: 'Columns',
      lines: differs(names.flatMap((name) => [words(`${name}, shown as`, level(one, name), level(other, name)), line(`${name}, loss`, column(one, name)?.loss, column(other, name)?.loss, figure)])),
    },
    { title: 'Records that an attack exposes', lines: differs(attacks.map((key) => line(named(key), exposed(one, key), exposed(other, key), percent))) },
    { title: 'Right predictions of what was learned', lines: differs(learned.map((key) => line(named(key), learns(one, key), learns(other, key), percent, false))) },
    { title: 'Other measures of what is lost', lines: differs(measures.filter((name) => name !== 'loss').map((name) => line(name, measure(one, name), measure(other, name), figure))) },
  ];
  return sections.filter((section) => section.lines.length > 0);
}
