import type { ProblemReceived } from '../api/problem-received.ts';

interface SourceFile {
  readonly file: string;
  /** Where in the file a field of the request is written. */
  readonly placeOf: (path: string) => string;
}

/** The hall found mistakes in what a command read from a file. */
export class ProblemInFile extends Error {
  override readonly name = 'ProblemInFile';
  readonly source: SourceFile;
  readonly problem: ProblemReceived;

  constructor(source: SourceFile, { cause }: { readonly cause: ProblemReceived }) {
    super(cause.message, { cause });
    this.source = source;
    this.problem = cause;
  }
}
