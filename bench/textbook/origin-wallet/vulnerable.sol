// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract OriginWallet {
    address public owner;
    uint256 public dailyLimit;

    constructor(address holder, uint256 limit) payable {
        require(limit >= 0.5 ether, "limit");
        owner = holder;
        dailyLimit = limit;
    }

    function pay(address payable to, uint256 amount) external {
        require(tx.origin == owner, "not owner"); // expect: tx-origin-authorization
        require(amount <= dailyLimit, "limit");
        to.transfer(amount);
    }

    receive() external payable {}
}
