import type { Services } from '../services.ts';

/** What a command does. Arguments come from anywhere (a lens, a menu, another extension), so each command guards its own. */
export type Command = (services: Services, args: readonly unknown[]) => unknown;
