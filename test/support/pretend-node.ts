/** Flags that make Node report another version. */
export function pretendNode(version: string): string[] {
  const script = `Object.defineProperty(process, 'versions', {
    value: { ...process.versions, node: '${version}' },
  });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}
