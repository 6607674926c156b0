import type { Uri } from 'vscode';

/** The name of a file for a tab. */
export function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
