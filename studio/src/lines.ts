// Which lines do without the studio what it does?

import type { PublishPlan } from './wire';

export type Beside = { report: boolean; certificate: boolean; recipe: boolean; overwrite: boolean };

/// A word of a command; quoted where a shell would take it apart.
export const shellWord = (word: string): string => (/^[A-Za-z0-9_./][A-Za-z0-9_./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/// A text as Python writes it.
export const pythonText = (text: string): string => JSON.stringify(text);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/// Does a path begin at the root, so that it is the same in every folder?
const isWhole = (path: string): boolean => /^([A-Za-z]:)?[\\/]/.test(path);

/// The command that writes the same release.
export function command(plan: PublishPlan, beside: Beside): string {
  const folder = folderOf(plan.policy);
  const option = (name: string, isWanted: boolean, file: string) => (isWanted ? [name, shellWord(isWhole(file) ? file : folder + file)] : []);
  const policy = plan.policy.startsWith('-') ? `./${plan.policy}` : plan.policy;
  return ['shoal anonymize', shellWord(policy), ...option('--report', beside.report, plan.report), ...option('--certificate', beside.certificate, plan.certificate), ...option('--recipe', beside.recipe, plan.recipe), ...(beside.overwrite ? ['--overwrite'] : [])].join(' ');
}

/// The lines of Python that write the same release, under names of their own in a folder.
export function python(plan: PublishPlan, beside: Beside): string {
  const name = plan.release.slice(plan.release.lastIndexOf('/') + 1);
  const wanted = (['report', 'certificate', 'recipe', 'overwrite'] as const).filter((key) => beside[key]).map((key) => `, ${key}=True`);
  return ['import shoal', '', `policy = shoal.Policy.load(${pythonText(plan.policy)})`, 'release = shoal.anonymize(None, policy)', `release.save(${pythonText(`${folderOf(plan.policy)}out/`)}, name=${pythonText(name)}${wanted.join('')})`].join('\n');
}
