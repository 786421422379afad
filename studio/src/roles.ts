// What does a role mean, where somebody chooses one?

export const roles = [
  { id: 'identifier', key: 'i', means: 'names a person: left out of the release' },
  { id: 'quasi-identifier', key: 'q', means: 'others may know it of somebody: generalized' },
  { id: 'sensitive', key: 's', means: 'nobody must learn it about a person' },
  { id: 'insensitive', key: 'n', means: 'tells nothing about anybody: published as it is' },
] as const;
