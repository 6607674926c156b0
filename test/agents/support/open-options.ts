import { connectAgent } from '../../../agents/all.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';

/** What the extension and the command line open agents with. */
export const OPEN = { protocols: ALL_PROTOCOLS, connect: connectAgent } as const;
