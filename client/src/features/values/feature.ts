import { registerCommands, type ActivateFeature } from '../feature.ts';
import { editText } from './edit-text.ts';
import type { VALUES } from './manifest.ts';
import type { ValuesParts } from './parts.ts';
import { registerTextPaste } from './paste-text.ts';
import { showMedia } from './show-media.ts';
import { TextFiles } from './text-files.ts';

/** Texts of messages in editors of their own, and pictures, sound and files. */
export const activate: ActivateFeature = (shared, store) => {
  const { server } = shared;
  store.add(registerTextPaste(server));
  const parts = { ...shared, texts: store.add(new TextFiles(server)) };
  registerCommands<typeof VALUES, ValuesParts>(store, parts, { editText, showMedia });
};
