// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Registry {
    address public owner;
    uint256 public fee;

    function initialize(address owner_, uint256 fee_) external {
        require(owner == address(0), "done");
        owner = owner_;
        fee = fee_;
    }

    function setFee(uint256 fee_) external {
        require(msg.sender == owner, "owner");
        fee = fee_;
    }
}
