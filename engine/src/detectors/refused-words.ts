/**
 * Words that no text for readers uses, each with the word of the trade for it. Readers search for the trade's terms, and many read
 * English as a second language.
 */
const refused: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'anyone, any caller, attacker'],
  [/\bsomebody\b/i, 'anyone, another account, a user'],
  [/\banybody\b/i, 'anyone'],
  [/\bstrangers?\b/i, 'attacker, untrusted caller'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, fixed'],
  [/\bcures?\b/i, 'fix'],
  [/\bgrave(r|st)?\b/i, 'severe, severity'],
  [/\bweakness(es)?\b/i, 'vulnerability, finding'],
  [/\bforestall(s|ed|ing)?\b/i, 'front-run'],
  [/\bbookkeeping\b/i, 'accounting, state update'],
  [/\bbooked\b/i, 'recorded'],
  [/\banew\b/i, 'again, reset'],
  [/\b(is|are|was|were) told\b(?! apart| from)/i, 'gets an email, is shown, is reported'],
  [/\bvouch(es|ed|er)?\b/i, 'validate, attest'],
  [/\bput down\b/i, 'recorded'],
  [/\bon the way\b/i, 'on the path, before'],
  [/\bon (every|some|all) ways\b/i, 'on every path'],
  [/\bnot there to be read\b/i, 'missing'],
  [/\bset aside\b/i, 'dismissed'],
  [/\bhow it comes about\b/i, 'trace'],
  [/\bask(s|ed)? a model\b/i, 'AI review'],
  [
    /\b(analys|authoris|initialis|recognis|organis|normalis|summaris|optimis)(e|ed|es|er|ing|ation)\b/i,
    'American spelling: -ize',
  ],
  [/\b(behaviour|colour|favour|licence)s?\b/i, 'American spelling'],
]

/** The refused words in a text, each with what to write instead; code in backticks is not read. */
export const refusedIn = (text: string): string[] => {
  const prose = text.replace(/`[^`]*`/g, '')
  return refused.flatMap(([word, instead]) => {
    const found = word.exec(prose)
    return found === null ? [] : [`"${found[0]}": write ${instead}`]
  })
}

/** Words of a sentence; a piece of code is one, and a remark in parentheses none. */
export const wordCount = (text: string): number => {
  const words = text.replace(/`[^`]*`/g, 'x').replace(/ \([^)]*\)/g, '')
  return words.split(/\s+/).length
}
