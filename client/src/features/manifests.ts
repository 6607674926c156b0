import { AGENTS } from './agents/manifest.ts';
import { BRIDGE } from './bridge/manifest.ts';
import { COMPOSE } from './compose/manifest.ts';
import { CONVERT } from './convert/manifest.ts';
import { COST } from './cost/manifest.ts';
import { CREDENTIALS } from './credentials/manifest.ts';
import { LANGUAGE } from './language/manifest.ts';
import type { CommandOf } from './manifest.ts';
import { RECORDING } from './recording/manifest.ts';
import { REPLIES } from './replies/manifest.ts';
import { SEND } from './send/manifest.ts';
import { START } from './start/manifest.ts';
import { TELEMETRY } from './telemetry/manifest.ts';
import { TENSORS } from './tensors/manifest.ts';
import { TRACES } from './traces/manifest.ts';
import { VALUES } from './values/manifest.ts';
import { VARIABLES } from './variables/manifest.ts';

/** The manifests of all features; views are shown in this order. */
export const MANIFESTS = [
  SEND,
  REPLIES,
  AGENTS,
  CREDENTIALS,
  VARIABLES,
  TRACES,
  COMPOSE,
  RECORDING,
  BRIDGE,
  TELEMETRY,
  CONVERT,
  COST,
  TENSORS,
  VALUES,
  LANGUAGE,
  START,
] as const;

/** A command of any feature. */
export type CommandName = CommandOf<(typeof MANIFESTS)[number]>;
