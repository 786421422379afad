import { expect, test } from 'vitest';
import { exposedBy, named, worstAttack } from '../../src/worst';
import type { Attack, Candidate } from '../../src/wire';

const attack = (attack: string, exposed: number): Attack => ({ attack, column: 'ill', exposed, records: 200, severity: 'low', learned: '', prevented_by: '' });
const release = (attacks: Attack[]) => ({ attacks }) as Candidate;

test('the worst attack is the first that exposes anybody', () => {
  const worst = worstAttack(release([attack('linkage', 0), attack('homogeneity', 50), attack('skewness', 150)]))!;
  expect([named(worst), exposedBy(worst)]).toEqual(['homogeneity of ill', 0.25]);
  expect(worstAttack(release([attack('linkage', 0)]))).toBeNull();
  expect(worstAttack(null)).toBeNull();
});
