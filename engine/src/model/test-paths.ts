/**
 * Files that are there to try out the product: tests, mocks, scripts, harnesses. They are read for meaning, but what they
 * inherit, override or wrap says nothing about the contracts that get deployed.
 */
const folders = /^(?:scripts?|harness(?:es)?|certora)$/i
/** Also as one word of several: `z_mocks`, `test-helpers`, `ForTestingOnly`. */
const words = /^(?:tests?|testing|testhelpers?|mocks?)$/i
const endings = /\.[ts]\.sol$/i

export const isForTests = (path: string): boolean => {
  const parts = path.split('/')
  return (
    endings.test(path) ||
    parts
      .slice(0, -1)
      .some(
        (part) => folders.test(part) || part.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).some((word) => words.test(word)),
      )
  )
}
