import { registerCommands, type ActivateFeature } from '../feature.ts';
import { GrowingBadges } from './growing-badges.ts';
import type { REPLIES } from './manifest.ts';
import type { RepliesParts } from './parts.ts';
import { showPauses } from './pause-notes.ts';
import { RawReplies } from './raw-replies.ts';
import { pauseReply, readReply, resumeReply, showRaw } from './reply-commands.ts';

/** Growing replies in editors, and the bytes that they came in. */
export const activate: ActivateFeature = (shared, store) => {
  const { growing, traces } = shared;
  store.add(new GrowingBadges(growing, traces));
  showPauses(store, growing);
  const raw = store.add(new RawReplies(traces));
  const parts: RepliesParts = { ...shared, raw };
  registerCommands<typeof REPLIES, RepliesParts>(store, parts, {
    readReply,
    pauseReply,
    resumeReply,
    showRaw,
  });
};
