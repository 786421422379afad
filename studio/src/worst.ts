// What is the worst that somebody could do to a release?

import type { Attack, Candidate } from './wire';

/// The attack that is worst, if any exposes anybody: they come the worst first.
export const worstAttack = (release: Candidate | null | undefined): Attack | null => release?.attacks.find((attack) => attack.exposed > 0) ?? null;

/// The share of the records that it exposes.
export const exposedBy = (attack: Attack): number => attack.exposed / Math.max(1, attack.records);

/// What it is called, and about which column it is.
export const named = (attack: Attack): string => (attack.column ? `${attack.attack} of ${attack.column}` : attack.attack);
