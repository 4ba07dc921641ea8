/**
 * Words that no name in code uses (symbols, files, fixtures, excuses), each with the word that compilers, analyzers and auditors use.
 * A name is searched for by people who know the trade, and many of them read English as a second language.
 */
const refused: readonly (readonly [words: readonly string[], instead: string])[] = [
  [['ask', 'asks', 'asked', 'asking'], 'check, query, read, request, require'],
  [['tell', 'tells', 'told', 'telling'], 'return, log, report, pass'],
  [['way', 'ways'], 'path, edge, branch'],
  [['book', 'books', 'booked', 'booking', 'unbooked'], 'record, credit, accounting'],
  [['bring', 'brings', 'brought'], 'pay in, deposit'],
  [['vouch', 'vouches', 'vouched', 'voucher', 'vouchers'], 'validate, attest, registry'],
  [['our', 'ours'], 'allow-listed, privileged, same protocol'],
  [['sister', 'sisters'], 'contract of the same protocol'],
  [['heir', 'heirs'], 'derived contract'],
  [['whoever', 'somebody', 'anybody', 'nobody', 'everybody'], 'caller, attacker, user, none'],
  [['stranger', 'strangers'], 'attacker, untrusted caller, outsider'],
  [['handed', 'hands'], 'passed, given by the caller'],
  [['anew'], 'again, re-'],
  [['grounds', 'doubts'], 'confidence factors, counter-evidence'],
  [['mend', 'mended', 'cure', 'grave', 'gravest'], 'fix, severe'],
]

const insteadOf = new Map(refused.flatMap(([words, instead]) => words.map((word) => [word, instead] as const)))

/** `isToldInError`, `told_in_error` and `told-in-error` are the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)

/** The refused words in a name, each with what to write instead. */
export const refusedInName = (name: string): string[] => {
  const words = wordsOf(name)
  const problems = words.flatMap((word) => (insteadOf.has(word) ? [`"${word}": write ${insteadOf.get(word)}`] : []))
  return / put down /.test(` ${words.join(' ')} `) ? [...problems, '"put down": write recorded beforehand'] : problems
}
