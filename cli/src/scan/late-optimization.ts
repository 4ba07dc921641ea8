const nodeMajor = Number.parseInt(process.versions.node, 10)
/** The newest whose options were looked at: one that does not know an option says so on stderr at every start. */
const newestKnown = 26

/** Options with which functions are optimized that many times later than usual; none where their names are not known. */
export function lateOptimization(times: number, major = nodeMajor): readonly string[] {
  if (major === 20) return [`--interrupt-budget=${times * 66 * 1024}`]
  if (major < 22 || major > newestKnown) return []
  return [`--invocation-count-for-maglev=${times * 400}`, `--invocation-count-for-turbofan=${times * 3000}`]
}
