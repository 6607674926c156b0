import { Uri, workspace } from 'vscode';
import {
  listEnvironments,
  parseEnvironmentsFile,
  variablesOf,
  type EnvironmentsFile,
} from '../../../agents/config/environments-file.ts';
import { ENVIRONMENTS_FILE } from '../../../core/catalog/variables.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { quote } from '../../../core/text/quote.ts';
import type { EnvironmentList, EnvironmentService } from '../services/agent-service.ts';
import { FolderFiles } from './folder-files.ts';
import { readConfig } from './read-config.ts';
import { Owner } from '../base/dispose.ts';

/** The setting with the name of the environment. */
const SECTION = 'parley';
const KEY = 'environment';

/** Reads `.vscode/parley.env.json` of every root folder. If two define a variable, the first folder applies. */
export class EnvironmentFiles extends Owner implements EnvironmentService {
  readonly #files = this.own(new FolderFiles([ENVIRONMENTS_FILE], `${SECTION}.${KEY}`));

  readonly onDidChange = this.#files.onDidChange;

  async list(): Promise<EnvironmentList> {
    this.#files.follow();
    const chosen = workspace.getConfiguration(SECTION).get(KEY, '');
    const files: EnvironmentsFile[] = [];
    const problems: string[] = [];
    for (const folder of workspace.workspaceFolders ?? []) {
      const reading = await readConfig(Uri.joinPath(folder.uri, ENVIRONMENTS_FILE));
      if (!reading.ok) problems.push(`${ENVIRONMENTS_FILE} ${reading.message}`);
      // Most folders have none.
      if (!reading.ok || reading.text === undefined) continue;
      const { text } = reading;
      const file = parseEnvironmentsFile(text);
      files.push(file);
      const lines = SourceText.of(text);
      for (const { span, message } of file.issues)
        problems.push(`${ENVIRONMENTS_FILE}, line ${lines.lineAt(span.start) + 1}: ${message}`);
    }
    const names = [...new Set(files.flatMap(listEnvironments))];
    if (chosen !== '' && !names.includes(chosen))
      problems.push(
        `The environment ${quote(chosen)} of the setting 'parley.environment' is in no ${ENVIRONMENTS_FILE}: pick another one`,
      );
    const variables = files.toReversed().flatMap(file => variablesOf(file, chosen));
    return { names, chosen, variables, problems };
  }
}
