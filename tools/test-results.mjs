// What the results of a test run mean, as vitest's JSON reporter writes them.

const testsOf = (results) => results?.testResults.flatMap((file) => file.assertionResults) ?? []

export function skippedIn(results) {
  return testsOf(results)
    .filter(({ status }) => ['pending', 'skipped', 'todo'].includes(status))
    .map(({ fullName }) => fullName)
}

export const failedIn = (results) =>
  testsOf(results)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName)

export const failedFilesIn = (results) =>
  (results?.testResults ?? []).filter((file) => file.status === 'failed').map((file) => file.name)

/** A file that could not be loaded has no tests to count; it is a failure all the same. */
const unloadedIn = (results) =>
  results.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length

/** A filter that matches no test has tested nothing: that is a mistake in the filter, never a success. */
export const ranNothing = (results) =>
  !results || results.numPassedTests + results.numFailedTests + unloadedIn(results) === 0

export function summary(results) {
  if (!results) return 'tests: 0 passed, 1 failed, 0 skipped'
  const skipped = results.numPendingTests + results.numTodoTests
  return `tests: ${results.numPassedTests} passed, ${results.numFailedTests + unloadedIn(results)} failed, ${skipped} skipped`
}

/** The results of a whole run whose failed files passed in a second one. */
export const asPassed = (results) =>
  results && {
    ...results,
    numPassedTests: results.numPassedTests + results.numFailedTests + unloadedIn(results),
    numFailedTests: 0,
    testResults: results.testResults.filter((file) => file.status !== 'failed'),
  }
