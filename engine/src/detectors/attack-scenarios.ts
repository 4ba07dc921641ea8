/** How a weakness is used by somebody who means harm, in a few steps: for the pages, the editor and the help in SARIF. */
export const attackScenarios: Readonly<Record<string, readonly string[]>> = {
  'integer-overflow': [
    'The attacker finds an amount that leaves its range when it is added, subtracted or multiplied.',
    'The check before it still passes, because it compares the number that has wrapped around.',
    'A debt becomes zero or a balance becomes almost 2²⁵⁶, which the attacker then withdraws or sells.',
  ],
  'floating-pragma': [
    'The contract is tested with one compiler and deployed with another that the pragma also admits.',
    'A bug or a changed default of that version is now part of what holds the money, and no test has seen it.',
  ],
  'unchecked-call-return-value': [
    'The attacker makes the call fail: by a receiver that reverts, by too little gas, by a call depth or a frozen token.',
    'The contract books the payment as made, because nobody asks whether it was.',
    'The money stays where it is, is owed to nobody any more, and can be taken by whoever is next in line.',
  ],
  'unprotected-ether-withdrawal': [
    'The attacker reads the contract and finds a function that sends its ether.',
    'Nothing asks who calls, or the question can be answered by anybody.',
    'One transaction takes the balance; bots watch for such contracts and are usually first.',
  ],
  'unprotected-token-withdrawal': [
    'Users store their tokens in the contract, which writes down who has how many.',
    'The attacker calls the function that was meant for rescues or tests: it asks nobody and writes nothing down.',
    'All tokens leave for an address of the attacker’s choice, and the records are worth nothing.',
  ],
  'uncounted-payment': [
    'The attacker has something to claim, and claims it.',
    'The count of what was paid stays at zero, so the same claim is open again.',
    'They repeat it until the contract is empty.',
  ],
  'unprotected-selfdestruct': [
    'Anybody calls the function, directly or through an initialiser that was left open.',
    'The code is gone or its ether is sent to an address of the caller’s choice.',
    'Every proxy and contract that relied on it is stuck, with what it holds.',
  ],
  reentrancy: [
    'The attacker deposits from a contract of their own, and then withdraws.',
    'While the contract pays, the attacker’s code runs and calls back, before the balance is written down.',
    'The old balance is paid again and again until the contract is empty; only then is it set to zero.',
  ],
  'delegatecall-to-untrusted-callee': [
    'The attacker deploys a contract that writes to the slot of the owner, or that destroys itself.',
    'They have the victim run it by `delegatecall`: it runs with the victim’s storage and balance.',
    'They are the owner now, or the victim is gone.',
  ],
  'dos-failed-call': [
    'The attacker takes part with a contract that refuses to be paid.',
    'Whatever loops over all participants, or must pay the last one first, reverts for everybody.',
    'Refunds, auctions or payouts stand still until somebody gives in to the attacker.',
  ],
  'copied-solution': [
    'The attacker watches pending transactions and sees one that carries the right word.',
    'They send the same word with a higher fee, so that theirs comes first.',
    'The reward is theirs; the one who found the word gets nothing.',
  ],
  'replaced-price': [
    'Somebody sends a transaction that sells at the price they have seen.',
    'Whoever may set the price sees it pending and lowers the price in a transaction that comes first.',
    'The sale runs at a price the seller never saw, and the difference stays with the contract.',
  ],
  'replaced-allowance': [
    'The owner of tokens lowers an allowance from 100 to 50.',
    'The spender sees it pending, spends the 100 first, and has 50 more once the change is through.',
  ],
  'sandwiched-trade': [
    'The attacker sees a trade pending that takes any amount in return.',
    'They buy before it, which raises the price, let the trade through at that price, and sell after it.',
    'The difference is theirs, and the depositors of the contract have paid it.',
  ],
  'tx-origin-authorization': [
    'The attacker brings the owner to send any transaction to a contract of theirs: an airdrop, a mint, a refund.',
    'That contract calls the victim. `tx.origin` is still the owner, so the check passes.',
    'The attacker’s contract does what only the owner may.',
  ],
  'tx-origin-identity': [
    'The attacker brings somebody to call a contract of theirs.',
    'That contract acts at the victim contract in the name of the person who only signed the first transaction.',
  ],
  'block-values-as-time': [
    'Whoever proposes the block chooses its time within some seconds, and on some chains its number.',
    'They choose the value that opens a sale, ends an auction or lets them win, and include their own transaction.',
  ],
  'incorrect-constructor-name': [
    'What was meant to run once at deployment is an ordinary function, because its name differs from the contract’s.',
    'Anybody calls it and becomes the owner.',
  ],
  'weak-randomness': [
    'The attacker computes the same “random” number from block values in a contract of their own.',
    'They take part only in blocks, or only with inputs, with which they win, and revert otherwise.',
  ],
  'requirement-violation': [
    'A call that others rely on can never meet the condition it is asked to meet.',
    'Funds that only this path releases stay locked, and an attacker may bring that state about on purpose.',
  ],
  'unexpected-gas-usage': [
    'The list that a function walks through grows with use.',
    'At some length a call needs more gas than a block has: the function can never be called again, with all it guards.',
  ],
  'dos-block-gas-limit': [
    'The attacker adds entries to a list that everybody’s transactions walk through; each costs them little.',
    'From some length on nobody’s call fits into a block any more.',
  ],
  'signature-replay': [
    'The attacker keeps a signature that was used once, here or on another chain.',
    'They send it again: nothing in what was signed says that it was for once, or for this place.',
  ],
  'arbitrary-transfer-from': [
    'A user has approved the contract, as every user must.',
    'The attacker calls it with the user’s address as the one who pays, and with their own as the one who receives.',
  ],
  'unprotected-initializer': [
    'The attacker watches for a proxy or implementation that is deployed and not yet initialised.',
    'They initialise it first, and are its owner.',
  ],
}
