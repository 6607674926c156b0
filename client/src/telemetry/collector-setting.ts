import { workspace } from 'vscode';
import { readFields } from '../../../core/text/fields.ts';

/** The user setting that names the collector, without `parley.`. */
const COLLECTOR_SETTING = 'trace.collector';

/** What people read as the place of the collector. */
export const COLLECTOR_PLACE = 'parley.trace.collector in the user settings';

/** The collector as the user set it. Variables stand in it as they were written. */
interface CollectorSetting {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  /** True where it also gets what was asked and answered. */
  readonly getsContent: boolean;
}

/** The collector of the settings; undefined where none is. */
export function readCollector(): CollectorSetting | undefined {
  const fields = readFields(workspace.getConfiguration('parley').get(COLLECTOR_SETTING));
  const url = fields?.get('url');
  if (typeof url !== 'string' || url.trim() === '') return undefined;
  const headers = [...(readFields(fields?.get('headers')) ?? [])].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { url: url.trim(), headers: new Map(headers), getsContent: fields?.get('content') === true };
}
