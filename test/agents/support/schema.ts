import { readFileSync } from 'node:fs';
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';

const service = getLanguageService({});

/** A file of the project as text. */
export function readProjectFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

export function readSchema(path: string): JSONSchema {
  return JSON.parse(readProjectFile(path)) as JSONSchema;
}

/** What the JSON support of VS Code reports about a text with a schema. */
export async function validate(text: string, schema: JSONSchema): Promise<readonly string[]> {
  const document = TextDocument.create('file:///x.json', 'jsonc', 1, text);
  const parsed = service.parseJSONDocument(document);
  const issues = await service.doValidation(
    document,
    parsed,
    { trailingCommas: 'ignore', comments: 'ignore' },
    schema,
  );
  return issues.map(issue => (typeof issue.message === 'string' ? issue.message : issue.message.value));
}
