// No VS Code in here.

export type NameProblem = 'shape' | 'own';

/** Keys of the prompt service belong to a connection, and never go to a provider. */
export function nameProblem(name: string): NameProblem | undefined {
  if (!/^[A-Z][A-Z0-9_]{2,80}$/.test(name)) return 'shape';
  return name.startsWith('PROMPTLAYER_') ? 'own' : undefined;
}

/** What comes along with a pasted value: blanks, quotes, the name of the variable. */
export const cleanValue = (name: string, pasted: string): string =>
  pasted
    .trim()
    .replace(new RegExp(`^(?:export\\s+)?${name}\\s*=\\s*`), '')
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .trim();
