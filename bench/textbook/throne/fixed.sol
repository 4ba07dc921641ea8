// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Throne {
    address payable public king;
    uint256 public prize;
    mapping(address => uint256) public owed;

    constructor() payable {
        require(msg.value >= 1 ether, "seed");
        king = payable(msg.sender);
        prize = msg.value;
    }

    function claimThrone() external payable {
        require(msg.value >= prize + prize / 10, "ten percent more");
        owed[king] += msg.value;
        king = payable(msg.sender);
        prize = msg.value;
    }

    function collect() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
