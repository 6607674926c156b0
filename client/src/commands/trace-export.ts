import { copyTrace as copy, exportTrace as save } from '../trace-export/export-trace.ts';
import { showWarning } from '../messages.ts';
import { countByServer } from '../trace/server-counter.ts';
import { readUri } from './arguments.ts';
import { findCallPlace } from './call-place.ts';
import type { Command } from './command.ts';

const NOTHING = 'There is no trace yet. Send a request, or open a file with traces.';

/**
 * Saves a trace in a file and answers it: the one of a row or a call, else the one of the trace file in front, else the one that
 * is selected in the Traces view, else the newest. Other arguments name the format and the file; `content` as the last has spans tell what was asked and answered.
 */
export const exportTrace: Command = (services, [target, format, file, content]) => {
  const place = findCallPlace(services, target);
  const choice = {
    format: readFormat(format),
    target: readUri(file),
    tellsContent: content === 'content',
  };
  if (place) return save(place, countByServer(services.server), choice);
  showWarning(NOTHING, new Map());
  return undefined;
};

/** Copies a trace, found in the same way, and answers the text. A second argument names the format. */
export const copyTrace: Command = (services, [target, format, content]) => {
  const place = findCallPlace(services, target);
  const choice = { format: readFormat(format), tellsContent: content === 'content' };
  if (place) return copy(place, countByServer(services.server), choice);
  showWarning(NOTHING, new Map());
  return undefined;
};

/** A row's command gets the rows that are selected in its place. */
function readFormat(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
