import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePatch } from './added-lines.ts';

describe('a patch', () => {
  it('added lines are read per file, even if they look like patch headers', () => {
    const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1,3 @@
-gone
+++ b/other.txt
+@@ -1 +1 @@
+diff --git a/x b/x
\\ No newline at end of file
diff --git a/b c.txt b/b c.txt
--- /dev/null
+++ b/b c.txt\t
@@ -0,0 +1 @@
+two
`;
    assert.deepEqual(parsePatch(patch), [
      { path: 'a.txt', text: '++ b/other.txt\n@@ -1 +1 @@\ndiff --git a/x b/x' },
      { path: 'b c.txt', text: 'two' },
    ]);
  });

  it('the added lines of a merge are those that no parent has', () => {
    const patch = `diff --combined a.txt
index 1,2..3
--- a/a.txt
+++ b/a.txt
@@@ -1,2 -1,2 +1,3 @@@
 +ours
+ theirs
++evil
- gone
 -gone too
`;
    assert.deepEqual(parsePatch(patch), [{ path: 'a.txt', text: 'evil' }]);
  });

  it('a patch may add 200,000 lines to a file', () => {
    const once = (count: number) => `+++ b/a.txt\n@@ -0,0 +1,${count} @@\n${'+x\n'.repeat(count)}`;
    const [added] = parsePatch(`${once(1)}${once(200_000)}`);
    assert.equal(added?.text.length, 2 * 200_001 - 1);
  });
});
