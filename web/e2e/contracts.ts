/** A bank that pays before it keeps its books. */
export const vulnerable = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.24;

contract Bank {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        balances[msg.sender] = 0;
    }
}
`

/** The same bank, books first. */
export const fixed = vulnerable
  .replace('        balances[msg.sender] = 0;\n', '')
  .replace('        (bool ok', '        balances[msg.sender] = 0;\n        (bool ok')

/** Several weaknesses of several kinds, to be sorted, filtered and walked through. */
export const crowded = `pragma solidity 0.8.24;
contract Crowd {
    address public owner = msg.sender;
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
    function close() external {
        require(tx.origin == owner);
        selfdestruct(payable(msg.sender));
    }
    function drop(address payable to) external {
        to.send(1 wei);
    }
}
`
