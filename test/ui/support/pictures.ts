import type { ColorScheme } from '../../../scripts/vscode/browser.ts';

/** True where the run leaves pictures: they are taken in both colours. */
export const isPictured = process.env['SCREENSHOTS'] !== undefined;

/** The colours of tests that do the same in either: the stress tests run them in light ones. */
export const SCHEMES: readonly ColorScheme[] = isPictured ? ['light', 'dark'] : ['dark'];
