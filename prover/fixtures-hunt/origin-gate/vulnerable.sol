// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Switchboard {
    address public owner = msg.sender;

    function hand(address next) external {
        require(tx.origin != msg.sender, "refused");
        owner = next;
    }
}
