// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

contract UnpaidWinner {
    address public owner;
    mapping(address => uint256) public winnings;

    constructor() payable {
        owner = msg.sender;
    }

    function bet() external payable {
        require(msg.value >= 0.3 ether, "bet at least 0.3 ether");
        winnings[msg.sender] += msg.value;
    }

    function collectFor(address payable winner) external {
        uint256 amount = winnings[winner];
        winnings[winner] = 0;
        winner.send(amount); // expect: unchecked-call-return-value
    }
}
