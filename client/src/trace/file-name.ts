import type { Uri } from 'vscode';

/** The name of a file, as a tab shows it. */
export function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
