import type { Finding } from '../findings.ts';
import { printGithub } from './github.ts';
import { printJson } from './json.ts';
import { printSarif } from './sarif.ts';
import { printText } from './text.ts';

export const CHECK_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

/** Printers of findings by format. Each returns a text that ends with a line break. */
export const FINDING_PRINTERS: Readonly<Record<CheckFormat, (findings: readonly Finding[]) => string>> = {
  text: printText,
  json: printJson,
  sarif: printSarif,
  github: printGithub,
};
