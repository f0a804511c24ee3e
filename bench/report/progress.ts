/** Progress lines for people; on standard error when standard output carries JSON. */
export interface Progress {
  say(line: string): void;
}

export function createProgress(isJson: boolean): Progress {
  const from = performance.now();
  return {
    say(line) {
      const text = `[${clock(performance.now() - from)}] ${line}`;
      if (isJson) console.error(text);
      else console.log(text);
    },
  };
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}`;
}
