import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length;

/** The classes of all files. */
const classes = files.flatMap((file) => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isClassDeclaration).map((node) => ({
    name: node.name?.text ?? file,
    file,
    members: node.members,
  }));
});

/** Methods of controllers that are more than one statement, and why. */
const LONGER_METHODS = {
  'HealthController.ready': 'the status of the answer is told apart from its body',
  'HolderController.usage': 'the query is read before the account is laid over it',
  'MetricsController.metrics': 'checks its own bearer, and sends a text that is no JSON',
  'UploadsController.deleteMany': 'ids that are no UUID are nobody’s file, not an error',
  'UploadsController.get': 'the service finds nothing, and the route makes a 404 of it',
  'UploadsController.delete': 'the service deletes nothing, and the route makes a 404 of it',
};

describe('the size of', () => {
  it('files is at most 250 lines, but for the lists of models, and of services 150', () => {
    const isList = (file: string) => /^src.providers.[^/\\]+.models\.ts$/.test(file);
    const most = (file: string) => {
      if (isList(file)) return Infinity;
      return basename(file).endsWith('.service.ts') ? 150 : 250;
    };
    const broken = files.filter((file) => linesOf(file) > most(file));
    expect(broken.map((file) => `${file}: ${linesOf(file)} lines`)).toEqual([]);
  });

  it('constructors is at most five parameters', () => {
    const broken = classes.flatMap(({ name, members }) =>
      members
        .filter(ts.isConstructorDeclaration)
        .filter(({ parameters }) => parameters.length > 5)
        .map(({ parameters }) => `${name}: ${parameters.length}`),
    );
    expect(broken).toEqual([]);
  });

  it('methods of controllers is one statement, but for those listed', () => {
    const longer = classes
      .filter(({ file }) => file.endsWith('.controller.ts'))
      .flatMap(({ name, members }) =>
        members
          .filter(ts.isMethodDeclaration)
          .filter(({ body }) => body?.statements.length !== 1)
          .map((method) => `${name}.${(method.name as ts.Identifier).text}`),
      );
    expect(longer.sort()).toEqual(Object.keys(LONGER_METHODS).sort());
  });
});
