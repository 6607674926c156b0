import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import type { START } from './manifest.ts';
import { newAicfFile, newAiclFile, newJsonRequest } from './new-file.ts';

/** The entries of New File, which the walkthroughs use too. */
export const activate: ActivateFeature = (shared, store) => {
  registerCommands<typeof START, Shared>(store, shared, { newAicfFile, newAiclFile, newJsonRequest });
};
