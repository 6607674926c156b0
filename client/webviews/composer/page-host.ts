import type { FromComposer } from '../../../wire/composer-messages.ts';

/** Sends a message to the extension. */
export type Post = (message: FromComposer) => void;
