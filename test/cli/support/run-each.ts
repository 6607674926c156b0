import { CliFolder, type CliRun } from './run-cli.ts';

// Runs command lines in a folder, one after the other: `run-each.ts FOLDER JSON`, where JSON is a list of lists of words.
const [folder = '', list = '[]'] = process.argv.slice(2);
const runs: CliRun[] = [];
for (const words of JSON.parse(list) as string[][]) runs.push(await new CliFolder(folder).run(words));
process.stdout.write(JSON.stringify(runs));
process.exit();
