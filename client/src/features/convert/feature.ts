import { registerCommands, type ActivateFeature } from '../feature.ts';
import { ConversionViews } from './conversion-views.ts';
import { convert } from './convert.ts';
import { LastTarget } from './last-target.ts';
import type { CONVERT } from './manifest.ts';
import type { ConvertParts } from './parts.ts';
import { pasteMessages } from './paste-messages.ts';

/** Messages in other protocols: beside their source, in its place, on the clipboard and from it. */
export const activate: ActivateFeature = (shared, store) => {
  const { context, server, log } = shared;
  const conversions = store.add(new ConversionViews(server, log));
  store.add(server.onDidReadDialect(({ uri }) => conversions.touch(uri)));
  store.add(server.onDidStartAnew(() => conversions.touchAll()));
  const parts = { ...shared, conversions, lastTarget: new LastTarget(context.globalState) };
  registerCommands<typeof CONVERT, ConvertParts>(store, parts, { convert, pasteMessages });
};
