import type { Services } from '../services.ts';

/**
 * The implementation of a command. Arguments can come from anywhere (a lens, a menu, another extension), so
 * each command must validate its own.
 */
export type Command = (services: Services, args: readonly unknown[]) => unknown;
