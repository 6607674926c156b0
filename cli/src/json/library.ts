/** VS Code's JSON support: a separate file beside the bundle that is loaded for the first JSON file. */
export { getLanguageService } from 'vscode-json-languageservice';
export { TextDocument } from 'vscode-languageserver-textdocument';
