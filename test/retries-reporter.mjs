/** Says at the end which tests were run again, because one that often is proves less than it says. */
export default class RetriesReporter {
  onRunComplete(_contexts, { testResults }) {
    const again = testResults.flatMap((suite) =>
      suite.testResults.filter(({ invocations }) => invocations > 1),
    );
    process.stderr.write(`Run again:   ${again.length} of the tests\n`);
    for (const { fullName, status } of again) process.stderr.write(`  ${status}: ${fullName}\n`);
  }
}
