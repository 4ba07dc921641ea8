// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Throne {
    address payable public king;
    uint256 public prize;

    constructor() payable {
        require(msg.value >= 1 ether, "seed");
        king = payable(msg.sender);
        prize = msg.value;
    }

    function claimThrone() external payable {
        require(msg.value >= prize + prize / 10, "ten percent more");
        (bool ok, ) = king.call{value: msg.value}(""); // expect: dos-failed-call
        require(ok, "king was not paid");
        king = payable(msg.sender);
        prize = msg.value;
    }
}
